package main

import (
	"strings"
	text "text/template"
)

// executeTemplates parses the templates as one set, and executes one of them.
func executeTemplates(asked request) answer {
	set := text.New("set")
	if asked.MissingKey != "" {
		set.Option("missingkey=" + asked.MissingKey)
	}
	for _, each := range asked.Templates {
		if _, err := set.New(each.Name).Parse(each.Text); err != nil {
			return answer{Error: err.Error()}
		}
	}
	var output strings.Builder
	if err := set.ExecuteTemplate(&output, asked.Execute, asked.Data); err != nil {
		return answer{Error: err.Error()}
	}
	written := output.String()
	return answer{Output: &written}
}
