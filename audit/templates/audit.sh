#!/usr/bin/env bash
# Runs "event-datasets audit" with what a CI system has in variables. Lists have one item a line.
set -uo pipefail

finish() { # exit code
  local result=unknown
  case $1 in
    0) result=passed ;;
    1) result=failed ;;
  esac
  if [[ -n ${GITHUB_OUTPUT:-} ]]; then echo "result=$result" >>"$GITHUB_OUTPUT"; fi
  exit "$1"
}

args=()
each() { # option, list
  local item
  while IFS= read -r item; do
    item="${item#"${item%%[![:space:]]*}"}"
    item="${item%"${item##*[![:space:]]}"}"
    if [[ -n $item ]]; then args+=("$1=$item"); fi
  done <<<"$2"
}
each --stack "${AUDIT_STACKS:-}"
if [[ ${AUDIT_ALL_STACKS:-} == true ]]; then args+=(--all-stacks); fi
each --project "${AUDIT_PROJECT:-}"
each --organization "${AUDIT_ORGANIZATION:-}"
each --state "${AUDIT_STATES:-}"
each --cwd "${AUDIT_CWD:-}"
each --policy "${AUDIT_POLICY:-}"
each --baseline "${AUDIT_BASELINE:-}"
each --expiring-within "${AUDIT_EXPIRING_WITHIN:-}"
each --fail-on "${AUDIT_FAIL_ON:-}"
each --output "${AUDIT_OUTPUTS:-}"
each --output "${AUDIT_SHOW:-table}"
comment_file=""
if [[ ${AUDIT_COMMENT:-} == true && ${GITHUB_REF:-} == refs/pull/* ]]; then
  comment_file=$(mktemp) || finish 2
  each --output "markdown=$comment_file"
fi

# The project's own version, if it has one: that is the one whose findings people can repeat.
local_bin="${AUDIT_CWD:-.}/node_modules/.bin/event-datasets"
if [[ -x $local_bin ]]; then
  command=("$local_bin")
else
  version="${AUDIT_VERSION:-}"
  if [[ -z $version && -n ${GITHUB_ACTION_PATH:-} ]]; then
    version=$(node -p 'require(process.argv[1]).version' "$GITHUB_ACTION_PATH/package.json") || finish 2
  fi
  command=(npx --yes --package "pulumi-event-datasets@${version:-latest}" event-datasets)
fi

# npx that cannot fetch the command ends with 1, which would read as "findings".
if ! "${command[@]}" --version >/dev/null; then
  echo "event-datasets: the command could not be had" >&2
  finish 2
fi

"${command[@]}" audit "${args[@]}"
code=$?
# A comment that cannot be made changes nothing about the result: pull requests of forks have no permission for one.
if [[ -n $comment_file ]]; then
  GITHUB_TOKEN="${AUDIT_COMMENT_TOKEN:-}" "${command[@]}" comment --file "$comment_file" || true
  rm -f "$comment_file"
fi
finish "$code"
