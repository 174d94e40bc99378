// Runs health scripts as Argo CD does: gopher-lua with few of its libraries unless the script asks for all, the object as
// the global obj, the script's result a table with status and message. Reads a JSON list of
// {"script", "openLibs", "object"} from standard input and writes the list of results to standard output.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	lua "github.com/yuin/gopher-lua"
)

type check struct {
	Script   string         `json:"script"`
	OpenLibs bool           `json:"openLibs"`
	Object   map[string]any `json:"object"`
}

type health struct {
	Status  string `json:"status"`
	Message string `json:"message"`
}

func main() {
	var checks []check
	if err := json.NewDecoder(os.Stdin).Decode(&checks); err != nil {
		fail(err)
	}
	results := make([]health, 0, len(checks))
	for _, each := range checks {
		result, err := run(each)
		if err != nil {
			fail(err)
		}
		results = append(results, result)
	}
	if err := json.NewEncoder(os.Stdout).Encode(results); err != nil {
		fail(err)
	}
}

func run(each check) (health, error) {
	state := lua.NewState(lua.Options{SkipOpenLibs: !each.OpenLibs})
	defer state.Close()
	if !each.OpenLibs {
		for _, library := range []struct {
			name string
			open lua.LGFunction
		}{{lua.LoadLibName, lua.OpenPackage}, {lua.BaseLibName, lua.OpenBase}, {lua.TabLibName, lua.OpenTable}} {
			state.Push(state.NewFunction(library.open))
			state.Push(lua.LString(library.name))
			state.Call(1, 0)
		}
	}
	state.SetGlobal("obj", value(state, each.Object))
	if err := state.DoString(each.Script); err != nil {
		return health{}, err
	}
	table, ok := state.Get(-1).(*lua.LTable)
	if !ok {
		return health{}, fmt.Errorf("the script returns %s, no table", state.Get(-1).Type())
	}
	return health{
		Status:  lua.LVAsString(table.RawGetString("status")),
		Message: lua.LVAsString(table.RawGetString("message")),
	}, nil
}

func value(state *lua.LState, of any) lua.LValue {
	switch typed := of.(type) {
	case bool:
		return lua.LBool(typed)
	case float64:
		return lua.LNumber(typed)
	case string:
		return lua.LString(typed)
	case []any:
		table := state.NewTable()
		for _, item := range typed {
			table.Append(value(state, item))
		}
		return table
	case map[string]any:
		table := state.NewTable()
		for key, item := range typed {
			table.RawSetString(key, value(state, item))
		}
		return table
	default:
		return lua.LNil
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
