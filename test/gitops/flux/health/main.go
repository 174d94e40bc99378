// Evaluates health expressions as Flux does. Reads a JSON list of {"expressions", "object"} from standard input and writes
// the list of states to standard output: Current, InProgress, Failed, or why there is no answer.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/fluxcd/pkg/apis/kustomize"
	"github.com/fluxcd/pkg/runtime/cel"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

type check struct {
	Expressions kustomize.HealthCheckExpressions `json:"expressions"`
	Object      unstructured.Unstructured        `json:"object"`
}

func main() {
	var checks []check
	if err := json.NewDecoder(os.Stdin).Decode(&checks); err != nil {
		fail(err)
	}
	states := make([]string, 0, len(checks))
	for _, each := range checks {
		evaluator, err := cel.NewStatusEvaluator(&each.Expressions)
		if err != nil {
			fail(err)
		}
		result, err := evaluator.Evaluate(context.Background(), &each.Object)
		if err != nil {
			states = append(states, "no answer: "+err.Error())
			continue
		}
		states = append(states, result.Status.String())
	}
	if err := json.NewEncoder(os.Stdout).Encode(states); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
