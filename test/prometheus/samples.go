package main

import (
	"context"
	"fmt"
	"time"

	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/util/annotations"
)

// step is the time between two samples and between two evaluations.
const step = time.Minute

// alertCase are series as promtool's unit tests write them: a value for each minute.
type alertCase struct {
	Series []struct {
		Series string `json:"series"`
		Values string `json:"values"`
	} `json:"series"`
	// Minutes is the time of the last evaluation, since the beginning.
	Minutes int `json:"minutes"`
}

// data are samples that can be queried.
type data struct {
	series []storage.Series
	end    time.Time
	engine *promql.Engine
}

func (c alertCase) data() (*data, error) {
	start := time.Unix(0, 0)
	engine := promql.NewEngine(promql.EngineOpts{MaxSamples: 1_000_000, Timeout: time.Minute, Parser: language})
	content := &data{end: start.Add(time.Duration(c.Minutes) * step), engine: engine}
	for _, each := range c.Series {
		name, values, err := language.ParseSeriesDesc(each.Series + " " + each.Values)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", each.Series, err)
		}
		var points []promql.FPoint
		for index, value := range values {
			if !value.Omitted {
				points = append(points, promql.FPoint{T: start.Add(time.Duration(index) * step).UnixMilli(), F: value.Value})
			}
		}
		series := promql.NewStorageSeries(promql.Series{Metric: name, Floats: points})
		content.series = append(content.series, series)
	}
	return content, nil
}

// firing returns the labels of the elements for which an alert fires at the end. As rules.AlertingRule.Eval: an element is pending
// since the first evaluation that returned it, and fires once that is `hold` ago.
func (d *data) firing(ctx context.Context, expr string, hold time.Duration) ([]string, error) {
	since := map[string]time.Time{}
	for now := time.Unix(0, 0); !now.After(d.end); now = now.Add(step) {
		query, err := d.engine.NewInstantQuery(ctx, d, nil, expr, now)
		if err != nil {
			return nil, err
		}
		vector, err := query.Exec(ctx).Vector()
		if err != nil {
			return nil, err
		}
		present := map[string]time.Time{}
		for _, element := range vector {
			name := labels.NewBuilder(element.Metric).Del(labels.MetricName).Labels().String()
			present[name] = now
			if began, ok := since[name]; ok {
				present[name] = began
			}
		}
		since = present
		query.Close()
	}
	var firing []string
	for name, began := range since {
		if d.end.Sub(began) >= hold {
			firing = append(firing, name)
		}
	}
	return firing, nil
}

// Querier makes the samples queryable.
func (d *data) Querier(int64, int64) (storage.Querier, error) {
	selected := func(_ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
		var matching []storage.Series
		for _, each := range d.series {
			if matches(each.Labels(), matchers) {
				matching = append(matching, each)
			}
		}
		return &seriesSet{series: matching}
	}
	return &storage.MockQuerier{SelectMockFunction: selected}, nil
}

func matches(names labels.Labels, matchers []*labels.Matcher) bool {
	for _, matcher := range matchers {
		if !matcher.Matches(names.Get(matcher.Name)) {
			return false
		}
	}
	return true
}

// seriesSet iterates over series.
type seriesSet struct {
	series []storage.Series
	next   int
}

func (s *seriesSet) Next() bool {
	s.next++
	return s.next <= len(s.series)
}

func (s *seriesSet) At() storage.Series                { return s.series[s.next-1] }
func (s *seriesSet) Err() error                        { return nil }
func (s *seriesSet) Warnings() annotations.Annotations { return nil }
