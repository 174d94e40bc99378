// Reads a JSON list of YAML documents from its input, and prints as JSON what kubectl's reader makes of each: the JSON text of its value,
// or null if it refuses the document.
package main

import (
	"encoding/json"
	"os"

	"sigs.k8s.io/yaml"
)

func main() {
	var texts []string
	if err := json.NewDecoder(os.Stdin).Decode(&texts); err != nil {
		panic(err)
	}
	answers := make([]*string, len(texts))
	for index, text := range texts {
		if value, err := yaml.YAMLToJSON([]byte(text)); err == nil {
			answer := string(value)
			answers[index] = &answer
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(answers); err != nil {
		panic(err)
	}
}
