import { Schema } from "effect"
import { Currency, OrganizationId, PlanName, Timestamp } from "../../kernel/index.ts"
import { Locale, Name, Slug, Timezone } from "./Text.ts"

/** Whether the organization may be used at all. */
export const OrganizationStatus = Schema.Literals(["active", "suspended"])
export type OrganizationStatus = typeof OrganizationStatus.Type

/** A tenant. */
export class Organization extends Schema.Class<Organization>("Organization")({
  id: OrganizationId,
  name: Name,
  slug: Slug,
  plan: PlanName,
  timezone: Timezone,
  locale: Locale,
  currency: Currency,
  status: OrganizationStatus,
  createdAt: Timestamp,
  version: Schema.Int
}) {}

/** What an administrator may change of the organization; an absent field stays. */
export const OrganizationPatch = Schema.Struct({
  name: Schema.optionalKey(Name),
  timezone: Schema.optionalKey(Timezone),
  locale: Schema.optionalKey(Locale),
  currency: Schema.optionalKey(Currency)
}).annotate({ identifier: "OrganizationPatch" })
export type OrganizationPatch = typeof OrganizationPatch.Type

/** What an operator says of a new organization. */
export const NewOrganization = Schema.Struct({
  name: Name,
  slug: Slug,
  plan: PlanName,
  timezone: Timezone,
  locale: Locale,
  currency: Currency
})
export type NewOrganization = typeof NewOrganization.Type
