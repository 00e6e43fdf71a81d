#!/usr/bin/env bash
# Runs "pulumi-event-datasets audit" of this package with options from environment variables. Lists have one item per line.
set -uo pipefail

report=$(mktemp)
trap 'rm -f "$report"' EXIT

finish() { # exit code, reason
  local result=unknown
  case $1 in
    0) result=passed ;;
    1)
      result=failed
      echo "::error title=Audit of API tokens::failed: see the summary of the step"
      ;;
    *)
      echo "::error title=Audit of API tokens::could not tell: ${2:-see the log of this step}"
      printf '## API tokens: could not tell\n\nThe audit has no result: %s.\n' "${2:-see the log of this step}" >"$report"
      ;;
  esac
  if [[ -n ${GITHUB_STEP_SUMMARY:-} ]]; then cat "$report" >>"$GITHUB_STEP_SUMMARY"; fi
  if [[ -n ${GITHUB_OUTPUT:-} ]]; then echo "result=$result" >>"$GITHUB_OUTPUT"; fi
  exit "$1"
}

args=()
add_each() { # option, list
  local item
  while IFS= read -r item; do
    item="${item#"${item%%[![:space:]]*}"}"
    item="${item%"${item##*[![:space:]]}"}"
    if [[ -n $item ]]; then args+=("$1=$item"); fi
  done <<<"$2"
}
add_each --stack "${AUDIT_STACKS:-}"
case ${AUDIT_ALL_STACKS:-} in
  true) args+=(--all-stacks) ;;
  false | "") ;;
  *) finish 2 "the input all-stacks must be true or false" ;;
esac
add_each --state "${AUDIT_STATES:-}"
add_each --policy "${AUDIT_POLICY:-}"
add_each --expiring-within "${AUDIT_EXPIRING_WITHIN:-}"
add_each --fail-on "${AUDIT_FAIL_ON:-}"
add_each --output "${AUDIT_OUTPUTS:-}"
args+=(--output=table "--output=markdown=$report")

# Only the code beside this file: the environment holds an access token, so nothing is fetched from a registry.
main="$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)/dist/cli/main.js"
[[ -f $main ]] || finish 2 "the action is not built: use it from the installed package (./node_modules/pulumi-event-datasets)"
cd "${AUDIT_CWD:-.}" || finish 2 "the input cwd is not a folder"

node "$main" audit "${args[@]}"
finish $?
