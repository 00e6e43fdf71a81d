# Manages a token and a dataset with the public provider: create, drift, change, import, destroy. Ends with an error at the first plan
# that is not as expected.
#   sh terraform.sh <terraform or tofu>
set -eu
terraform=$1
"$terraform" version | head -n 1
cat > overrides.tfrc <<EOF
provider_installation {
  dev_overrides { "axiomhq/axiom" = "$PWD" }
  direct {}
}
EOF
export TF_CLI_CONFIG_FILE="$PWD/overrides.tfrc" AXIOM_BASE_URL="$AXIOM_URL" AXIOM_API_TOKEN="$AXIOM_TOKEN"

call() { curl --silent --fail --header "Authorization: Bearer $AXIOM_TOKEN" --header "Content-Type: application/json" "$@"; }
id_of() { "$terraform" state show -no-color "$1" | sed -n 's/^ *id *= "\(.*\)"$/\1/p'; }

# expect <what> <0: no change, 2: changes> [arguments]
expect() {
  what=$1 wanted=$2
  shift 2
  status=0
  "$terraform" plan -no-color -input=false -detailed-exitcode "$@" > plan.txt || status=$?
  [ "$status" = "$wanted" ] || { cat plan.txt; echo "$what: plan ended with $status, not with $wanted"; exit 1; }
  echo "$what: as expected"
}

apply() { "$terraform" apply -no-color -input=false -auto-approve "$@" > apply.txt || { cat apply.txt; exit 1; }; }

apply
expect "after the create" 0
first=$(id_of axiom_token.all)

call --request PUT --data '{"description":"by hand"}' "$AXIOM_URL/v2/datasets/witness-terraform" > response.json
expect "drift of the dataset" 2
apply
expect "after the drift" 0

apply -var description=second
expect "after the change" 0 -var description=second
second=$(id_of axiom_token.all)
[ "$first" != "$second" ] || { echo "the token was not regenerated"; exit 1; }

call --request DELETE "$AXIOM_URL/v2/tokens/$second"
expect "a token that was deleted by hand" 2 -var description=second
apply -var description=second
third=$(id_of axiom_token.all)

"$terraform" state rm axiom_token.all axiom_dataset.all
"$terraform" import -no-color -input=false -var description=second axiom_dataset.all witness-terraform
"$terraform" import -no-color -input=false -var description=second axiom_token.all "$third"
expect "after the import" 0 -var description=second

"$terraform" destroy -no-color -input=false -auto-approve -var description=second > apply.txt || { cat apply.txt; exit 1; }
for path in "tokens/$third" datasets/witness-terraform; do
  if call "$AXIOM_URL/v2/$path" > response.json; then echo "$path is still there"; exit 1; fi
done
echo "destroyed: as expected"
