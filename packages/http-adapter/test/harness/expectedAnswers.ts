import type { Feature, PlanName, Role } from "@parley/domain/kernel"
import { permissionsOfRole } from "@parley/domain/platform"
import { fixtures } from "@parley/testkit/fixtures"
import type { Endpoint } from "./contract.ts"
import { declarationOf } from "./declarations.ts"

export const callers = ["nobody", "token", "viewer", "agent", "admin", "owner"] as const

/** `token` is an automation token without permissions. */
export type Caller = (typeof callers)[number]

export const isRole = (caller: Caller): caller is Role => caller !== "nobody" && caller !== "token"

const features: Readonly<Record<PlanName, ReadonlyArray<Feature>>> = {
  free: [],
  growth: ["automations"],
  scale: ["automations", "workflows", "plugins"]
}

/** Callers that only the session of the documentation site can replace. */
const withDocsSession: ReadonlySet<string> = new Set(["docs.session"])

/** Further permission that the endpoint may require. */
const furtherPermissions: Readonly<Record<string, string>> = {
  "members.availability": "members.manage",
  "members.setAvailability": "members.manage"
}

/** Status of the answer, or `no` for a missing permission, or `plan` for a missing feature. */
export const expectedAnswer = (endpoint: Endpoint, caller: Caller, plan: PlanName): string => {
  // Tokens of operators are of another kind.
  if (endpoint.admission === "operator") return "401"
  if (withDocsSession.has(endpoint.id)) return "401"
  const declaration = declarationOf(endpoint)
  const success = String(endpoint.success)
  if (declaration === null || declaration.access === "public") return success
  if (caller === "nobody") return "401"
  const { access, feature } = declaration
  if (!isRole(caller)) return "no"
  if (access === "operator" || access === "plugin") return "no"
  if (access !== "user" && !permissionsOfRole(caller).has(access.permission)) return "no"
  if (feature !== undefined && !features[plan].includes(feature)) return "plan"
  const fixture = fixtures.get(declaration.name)
  // The owner prepares the data of the request, and so is its author.
  const exception = caller === "owner" ? undefined : fixture?.exceptions[caller]
  if (exception !== undefined) return exception === "own" ? "403" : "no"
  return fixture?.overLimitOn.includes(plan) === true ? "403" : success
}

/** Permissions that refusals of the endpoint may name. `user` asks for a person. */
export const expectedPermissions = (endpoint: Endpoint): ReadonlyArray<string> => {
  const access = declarationOf(endpoint)?.access ?? "public"
  if (access === "public" || endpoint.admission === "operator") return []
  const further = furtherPermissions[endpoint.id]
  return [typeof access === "string" ? access : access.permission, ...(further === undefined ? [] : [further])]
}

/** Action of the entry that the endpoint leaves in the audit trail. */
export const expectedAction = (endpoint: Endpoint): string | null => declarationOf(endpoint)?.audit ?? null
