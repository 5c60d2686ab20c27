import type { Shell } from './shells.js';

/** The option by which the scripts ask, with the words up to the cursor. */
const ASKING_OPTION = '--get-yargs-completions';

/**
 * Nothing that comes back is evaluated: each line is a word as it is. Where none comes, the shell completes files.
 */
const BASH = `###-begin-flowgate-completions-###
#
# In ~/.bashrc: source <(flowgate completion bash)
#
_flowgate_yargs_completions()
{
    local current="\${COMP_WORDS[COMP_CWORD]}" word
    COMPREPLY=()
    while IFS= read -r word; do
        if [[ "$word" == "$current"* ]]; then COMPREPLY+=("$word"); fi
    done < <(SHELL=bash ZSH_NAME= flowgate ${ASKING_OPTION} "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)
    return 0
}
complete -o bashdefault -o default -F _flowgate_yargs_completions flowgate
###-end-flowgate-completions-###`;

const ZSH = `#compdef flowgate
###-begin-flowgate-completions-###
#
# In ~/.zshrc, below compinit: source <(flowgate completion zsh)
#
_flowgate_yargs_completions()
{
  local -a reply
  local line
  while IFS= read -r line; do
    reply+=("$line")
  done < <(SHELL=zsh flowgate ${ASKING_OPTION} "\${(@)words[1,CURRENT]}" 2>/dev/null)
  if (( \${#reply} > 0 )); then
    _describe 'values' reply
  else
    _default
  fi
}
if [[ "\${zsh_eval_context[-1]}" == "loadautofunc" ]]; then
  _flowgate_yargs_completions "$@"
else
  compdef _flowgate_yargs_completions flowgate
fi
###-end-flowgate-completions-###`;

const FISH = `###-begin-flowgate-completions-###
#
# Once: flowgate completion fish > ~/.config/fish/completions/flowgate.fish
#
function __flowgate_completions
    set -l current (commandline -ct)
    set -l found (SHELL=fish ZSH_NAME= flowgate ${ASKING_OPTION} (commandline -opc) "$current" 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path "$current"
    end
end
complete -c flowgate -f -a '(__flowgate_completions)'
###-end-flowgate-completions-###`;

const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };

export function completionScript(shell: Shell): string {
  return SCRIPTS[shell];
}
