/** The shells with command line completion. */
export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

/*
 * Each script requests the candidates from the command, and falls back to file names. The command prints one candidate
 * per line, with its description after a tab. Each script takes the parts that its shell shows.
 */

const bash = `# Completes fleetwright in bash: source <(fleetwright completion bash)
_fleetwright() {
  local IFS=$'\\n'
  COMPREPLY=($(fleetwright --get-yargs-completions "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2> /dev/null | cut -f 1))
}
complete -o default -F _fleetwright fleetwright
`;

const zsh = `#compdef fleetwright
# Completes fleetwright in zsh: source <(fleetwright completion zsh), or as the file _fleetwright in a folder of $fpath
_fleetwright() {
  local line
  local -a candidates
  while IFS= read -r line; do
    line="\${line//:/\\\\:}"
    candidates+=("\${line/$'\\t'/:}")
  done < <(fleetwright --get-yargs-completions "\${(@)words[1,CURRENT]}" 2> /dev/null)
  if (( \${#candidates} )); then
    _describe fleetwright candidates
  else
    _files
  fi
}
if [ "\${funcstack[1]}" = _fleetwright ]; then
  _fleetwright "$@"
else
  compdef _fleetwright fleetwright
fi
`;

const fish = `# Completes fleetwright in fish: fleetwright completion fish > ~/.config/fish/completions/fleetwright.fish
function __fleetwright_candidates
  set --local candidates (fleetwright --get-yargs-completions (commandline -opc) (commandline -ct) 2> /dev/null)
  if set --query candidates[1]
    printf '%s\\n' $candidates
  else
    __fish_complete_path (commandline -ct)
  end
end
complete --command fleetwright --no-files --arguments '(__fleetwright_candidates)'
`;

/** The completion script of each shell. */
export const completionScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };
