import { Schema } from "effect"

/** Scopes of operator tokens. Each allows some calls of the operators' API, and no permission inside an organization. */
export const OperatorScope = Schema.Literals([
  "organizations.read",
  "organizations.write",
  "organizations.suspend",
  "organizations.delete",
  "entitlements.write",
  "plans.read",
  "plans.write",
  "usage.read",
  "support.request",
  "users.read",
  "users.write",
  "audit.read",
  "rate_cards.read",
  "rate_cards.write"
])
export type OperatorScope = typeof OperatorScope.Type
