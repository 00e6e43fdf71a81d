#!/usr/bin/env bash
# Runs "pulumi-event-datasets audit" with options from environment variables. Lists have one item per line.
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
add_each() { # option, list
  local item
  while IFS= read -r item; do
    item="${item#"${item%%[![:space:]]*}"}"
    item="${item%"${item##*[![:space:]]}"}"
    if [[ -n $item ]]; then args+=("$1=$item"); fi
  done <<<"$2"
}
add_each --stack "${AUDIT_STACKS:-}"
if [[ ${AUDIT_ALL_STACKS:-} == true ]]; then args+=(--all-stacks); fi
add_each --project "${AUDIT_PROJECT:-}"
add_each --organization "${AUDIT_ORGANIZATION:-}"
add_each --state "${AUDIT_STATES:-}"
add_each --cwd "${AUDIT_CWD:-}"
add_each --policy "${AUDIT_POLICY:-}"
add_each --baseline "${AUDIT_BASELINE:-}"
add_each --expiring-within "${AUDIT_EXPIRING_WITHIN:-}"
add_each --fail-on "${AUDIT_FAIL_ON:-}"
add_each --output "${AUDIT_OUTPUTS:-}"
add_each --output "${AUDIT_SHOW:-table}"
comment_file=""
if [[ ${AUDIT_COMMENT:-} == true && ${GITHUB_REF:-} == refs/pull/* ]]; then
  comment_file=$(mktemp) || finish 2
  add_each --output "markdown=$comment_file"
fi

# Prefer the version that the project has installed, so that people can reproduce its findings.
local_bin="${AUDIT_CWD:-.}/node_modules/.bin/pulumi-event-datasets"
if [[ -x $local_bin ]]; then
  command=("$local_bin")
else
  version="${AUDIT_VERSION:-}"
  if [[ -z $version && -n ${GITHUB_ACTION_PATH:-} ]]; then
    version=$(node -p 'require(process.argv[1]).version' "$GITHUB_ACTION_PATH/package.json") || finish 2
  fi
  command=(npx --yes --package "pulumi-event-datasets@${version:-latest}" pulumi-event-datasets)
fi

# If npx cannot fetch the command, it exits with 1, which would mean "findings".
if ! "${command[@]}" --version >/dev/null; then
  echo "pulumi-event-datasets: npx could not fetch the command" >&2
  finish 2
fi

"${command[@]}" audit "${args[@]}"
code=$?
# A failed comment does not change the result: pull requests of forks have no permission to comment.
if [[ -n $comment_file ]]; then
  GITHUB_TOKEN="${AUDIT_COMMENT_TOKEN:-}" "${command[@]}" comment --file "$comment_file" || true
  rm -f "$comment_file"
fi
finish "$code"
