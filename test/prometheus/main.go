// Reads rules of a PrometheusRule, a Grafana dashboard, a scrape and cases from standard input, as JSON, and answers what
// Prometheus and Grafana themselves make of them.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	dto "github.com/prometheus/client_model/go"
	"github.com/prometheus/common/expfmt"
	"github.com/prometheus/common/model"

	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql/parser"
)

var language = parser.NewParser(parser.Options{})

type request struct {
	// Rules is a rule file: the spec of a PrometheusRule.
	Rules string `json:"rules"`
	// Dashboard is the JSON of a dashboard.
	Dashboard string `json:"dashboard"`
	// Scrape is what /metrics answers.
	Scrape string `json:"scrape"`
	// Cases are samples with which the rules are evaluated.
	Cases []alertCase `json:"cases"`
}

type expression struct {
	// Where is the name of the alert, or the title of the panel.
	Where     string     `json:"where"`
	Expr      string     `json:"expr"`
	Selectors []selector `json:"selectors"`
	// Grouping are the labels of `by`.
	Grouping []string `json:"grouping"`
}

type selector struct {
	Metric string   `json:"metric"`
	Labels []string `json:"labels"`
}

type answer struct {
	Errors  []string     `json:"errors"`
	Alerts  []expression `json:"alerts"`
	Queries []expression `json:"queries"`
	// Metrics are the labels of each series name in the scrape.
	Metrics map[string][]string `json:"metrics"`
	// Lint is what promlint finds in the scrape.
	Lint []string `json:"lint"`
	// Firing are, for each case, the alerts that fire at its end, with the values of their labels.
	Firing [][]string `json:"firing"`
}

func main() {
	var asked request
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	got := answer{Errors: []string{}, Alerts: []expression{}, Queries: []expression{}, Lint: []string{}, Firing: [][]string{}}
	complain := func(where string, err error) {
		if err != nil {
			got.Errors = append(got.Errors, fmt.Sprintf("%s: %v", where, err))
		}
	}
	groups, errs := rulefmt.Parse([]byte(asked.Rules), false, model.LegacyValidation, language, slog.Default())
	for _, err := range errs {
		complain("rules", err)
	}
	if len(errs) == 0 {
		for _, group := range groups.Groups {
			for _, rule := range group.Rules {
				parsed, err := parse(rule.Alert, rule.Expr)
				complain(rule.Alert, err)
				got.Alerts = append(got.Alerts, parsed)
			}
		}
		for _, each := range asked.Cases {
			firing, err := each.firing(groups)
			complain("case", err)
			got.Firing = append(got.Firing, firing)
		}
	}
	if asked.Dashboard != "" {
		queries, err := queriesOf(asked.Dashboard)
		complain("dashboard", err)
		for _, query := range queries {
			parsed, err := parse(query.Where, query.Expr)
			complain(query.Where, err)
			got.Queries = append(got.Queries, parsed)
		}
	}
	families, err := scraped(asked.Scrape)
	complain("scrape", err)
	got.Metrics = labelsOf(families)
	problems, err := promlint.New(strings.NewReader(asked.Scrape)).Lint()
	complain("promlint", err)
	for _, problem := range problems {
		got.Lint = append(got.Lint, fmt.Sprintf("%s: %s", problem.Metric, problem.Text))
	}
	if err := json.NewEncoder(os.Stdout).Encode(got); err != nil {
		panic(err)
	}
}

// parse returns the metrics and labels of an expression. The variables of Grafana stand for durations.
func parse(where, expr string) (expression, error) {
	parsed := expression{Where: where, Expr: expr, Selectors: []selector{}, Grouping: []string{}}
	tree, err := language.ParseExpr(strings.NewReplacer("$__rate_interval", "5m", "$__range", "1h").Replace(expr))
	if err != nil {
		return parsed, err
	}
	parser.Inspect(tree, func(node parser.Node, _ []parser.Node) error {
		switch node := node.(type) {
		case *parser.VectorSelector:
			used := selector{Metric: node.Name, Labels: []string{}}
			for _, matcher := range node.LabelMatchers {
				if matcher.Name != model.MetricNameLabel {
					used.Labels = append(used.Labels, matcher.Name)
				}
			}
			parsed.Selectors = append(parsed.Selectors, used)
		case *parser.AggregateExpr:
			parsed.Grouping = append(parsed.Grouping, node.Grouping...)
		}
		return nil
	})
	return parsed, nil
}

// queriesOf returns the queries of the panels and variables of a dashboard that Grafana's schema accepts.
func queriesOf(text string) ([]expression, error) {
	plugins.RegisterDefaultPlugins()
	board := dashboard.Dashboard{}
	// The error of a valid dashboard is an empty list.
	if err := board.UnmarshalJSONStrict([]byte(text)); err != nil && err.Error() != "" {
		return nil, err
	}
	if err := board.Validate(); err != nil {
		return nil, err
	}
	var content struct {
		Panels []struct {
			Title   string `json:"title"`
			Targets []struct {
				Expr string `json:"expr"`
			} `json:"targets"`
		} `json:"panels"`
	}
	if err := json.NewDecoder(bytes.NewReader([]byte(text))).Decode(&content); err != nil {
		return nil, err
	}
	var queries []expression
	for _, panel := range content.Panels {
		for _, target := range panel.Targets {
			queries = append(queries, expression{Where: panel.Title, Expr: target.Expr})
		}
	}
	return queries, nil
}

func scraped(text string) (map[string]*dto.MetricFamily, error) {
	reader := expfmt.NewTextParser(model.LegacyValidation)
	return reader.TextToMetricFamilies(strings.NewReader(text))
}

func labelsOf(families map[string]*dto.MetricFamily) map[string][]string {
	labels := map[string][]string{}
	for name, family := range families {
		names := []string{}
		for _, metric := range family.GetMetric() {
			for _, label := range metric.GetLabel() {
				if !slices.Contains(names, label.GetName()) {
					names = append(names, label.GetName())
				}
			}
		}
		sort.Strings(names)
		labels[name] = names
	}
	return labels
}

func (c alertCase) firing(groups *rulefmt.RuleGroups) ([]string, error) {
	data, err := c.data()
	if err != nil {
		return nil, err
	}
	firing := []string{}
	for _, group := range groups.Groups {
		for _, rule := range group.Rules {
			labels, err := data.firing(context.Background(), rule.Expr, time.Duration(rule.For))
			if err != nil {
				return nil, err
			}
			for _, each := range labels {
				firing = append(firing, strings.TrimSpace(rule.Alert+" "+each))
			}
		}
	}
	sort.Strings(firing)
	return firing, nil
}
