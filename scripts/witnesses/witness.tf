terraform {
  required_providers {
    axiom = { source = "axiomhq/axiom" }
  }
}

variable "description" {
  type    = string
  default = "first"
}

# AXIOM_BASE_URL and AXIOM_API_TOKEN say where and who.
provider "axiom" {}

resource "axiom_dataset" "all" {
  name                 = "witness-terraform"
  kind                 = "otel:logs:v1"
  description          = var.description
  use_retention_period = true
  retention_days       = 30
}

resource "axiom_token" "all" {
  name        = "witness-terraform"
  description = var.description
  expires_at  = "2099-01-01T00:00:00Z"
  dataset_capabilities = {
    (axiom_dataset.all.name) = { ingest = ["create"], query = ["read"], trim = ["update"], data = ["delete"] }
  }
  org_capabilities = { api_tokens = ["create", "read"], annotations = ["read"], datasets = ["read"] }
}
