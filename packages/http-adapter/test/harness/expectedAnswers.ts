import type { Feature, PlanName, Role } from "@parley/domain/kernel"
import { permissionsOfRole } from "@parley/domain/platform"
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

/** Answers that declaration, role and plan do not explain. */
const exceptions: Readonly<Record<string, Partial<Record<Caller, string>>>> = {
  // The requests ask for another member.
  "members.availability": { viewer: "no", agent: "no" },
  "members.setAvailability": { viewer: "no", agent: "no" },
  // Only the session of the documentation site opens it.
  "docs.session": { nobody: "401", token: "401", viewer: "401", agent: "401", admin: "401", owner: "401" }
}

/** Plans whose limit the request exceeds. */
const limited: Readonly<Record<string, ReadonlyArray<PlanName>>> = {
  // The request adds a second number.
  "chatAccounts.addNumber": ["free"]
}

/** Further permission that the endpoint may require. */
const furtherPermissions: Readonly<Record<string, string>> = {
  "members.availability": "members.manage",
  "members.setAvailability": "members.manage"
}

/** Endpoints whose test request changes nothing, because the resource has the requested state. */
const unchanged: ReadonlySet<string> = new Set(["webhookSubscriptions.enable", "plugins.enable", "automations.disable"])

/** Status of the answer, or `no` for a missing permission, or `plan` for a missing feature. */
export const expectedAnswer = (endpoint: Endpoint, caller: Caller, plan: PlanName): string => {
  const exception = exceptions[endpoint.id]?.[caller]
  if (exception !== undefined) return exception
  // Their tokens are of another kind.
  if (endpoint.admission === "operator") return "401"
  const declaration = declarationOf(endpoint)
  const success = String(endpoint.success)
  if (declaration === null || declaration.access === "public") return success
  if (caller === "nobody") return "401"
  const { access, feature } = declaration
  if (!isRole(caller)) return "no"
  if (access === "operator") return "no"
  if (access !== "user" && !permissionsOfRole(caller).has(access.permission)) return "no"
  if (feature !== undefined && !features[plan].includes(feature)) return "plan"
  return limited[endpoint.id]?.includes(plan) === true ? "403" : success
}

/** Permissions that refusals of the endpoint may name. `user` asks for a person. */
export const expectedPermissions = (endpoint: Endpoint): ReadonlyArray<string> => {
  const access = declarationOf(endpoint)?.access ?? "public"
  if (access === "public" || endpoint.admission === "operator") return []
  const further = furtherPermissions[endpoint.id]
  return [typeof access === "string" ? access : access.permission, ...(further === undefined ? [] : [further])]
}

/** Action of the entry that the endpoint leaves in the audit trail. */
export const expectedAction = (endpoint: Endpoint): string | null =>
  unchanged.has(endpoint.id) ? null : (declarationOf(endpoint)?.audit ?? null)
