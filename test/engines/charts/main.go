// Runs Go's text/template and Helm's engine for the tests of gotemplate and charts: one request and one answer per line of JSON.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// request is one case: templates for text/template, a chart for Helm's engine, or a release for Helm.
type request struct {
	// Templates are parsed in this order.
	Templates []template `json:"templates,omitempty"`
	Execute   string     `json:"execute,omitempty"`
	// MissingKey is the option of text/template: default, zero or error.
	MissingKey string `json:"missingKey,omitempty"`
	Data       any    `json:"data,omitempty"`

	Chart *chartRequest `json:"chart,omitempty"`

	Release *releaseRequest `json:"release,omitempty"`
	// Bench asks for the processor time of renderings.
	Bench *benchRequest `json:"bench,omitempty"`
	// APIVersions asks for the APIs that Helm assumes without a cluster.
	APIVersions bool `json:"apiVersions,omitempty"`
}

type template struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// answer has an error, or what was rendered.
type answer struct {
	Output *string           `json:"output,omitempty"`
	Files  map[string]string `json:"files,omitempty"`
	Error  string            `json:"error,omitempty"`
	// APIVersions are those of Helm.
	APIVersions []string `json:"apiVersions,omitempty"`
	// Installation or InstallError is what Helm makes of a chart that can be rendered.
	Installation *installation `json:"installation,omitempty"`
	InstallError string        `json:"installError,omitempty"`
	// Bench has what renderings cost.
	Bench *benchAnswer `json:"bench,omitempty"`
}

func main() {
	if err := answerAll(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func answerAll(in io.Reader, out io.Writer) error {
	reader := bufio.NewReader(in)
	writer := bufio.NewWriter(out)
	encoder := json.NewEncoder(writer)
	encoder.SetEscapeHTML(false)
	for {
		line, err := reader.ReadBytes('\n')
		if len(line) > 0 {
			var asked request
			if err := json.Unmarshal(line, &asked); err != nil {
				return err
			}
			if err := encoder.Encode(run(asked)); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return writer.Flush()
		}
		if err != nil {
			return err
		}
		if reader.Buffered() == 0 {
			if err := writer.Flush(); err != nil {
				return err
			}
		}
	}
}

func run(asked request) (result answer) {
	defer func() {
		if panicked := recover(); panicked != nil {
			result = answer{Error: fmt.Sprintf("panic: %v", panicked)}
		}
	}()
	if asked.Chart != nil {
		return renderChart(asked.Chart)
	}
	if asked.Release != nil {
		return renderRelease(asked.Release)
	}
	if asked.Bench != nil {
		return benchRelease(asked.Bench)
	}
	if asked.APIVersions {
		return apiVersions()
	}
	return executeTemplates(asked)
}
