import { Context, type Effect, Schema } from "effect"
import {
  Currency,
  OrganizationId,
  PlanName,
  type Slice,
  type TenantScoped,
  Timestamp,
  type Transaction,
  type VersionConflict
} from "../../kernel/index.ts"
import { Locale, SingleLineText, Slug, Timezone } from "./Text.ts"
import type { SlugTaken } from "./errors.ts"

/** Whether the organization may be used at all. */
export const OrganizationStatus = Schema.Literals(["active", "suspended"])
export type OrganizationStatus = typeof OrganizationStatus.Type

/** A tenant. */
export class Organization extends Schema.Class<Organization>("Organization")({
  id: OrganizationId,
  name: SingleLineText,
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
  name: Schema.optionalKey(SingleLineText),
  timezone: Schema.optionalKey(Timezone),
  locale: Schema.optionalKey(Locale),
  currency: Schema.optionalKey(Currency)
}).annotate({ identifier: "OrganizationPatch" })
export type OrganizationPatch = typeof OrganizationPatch.Type

/** What an operator says of a new organization. */
export const NewOrganization = Schema.Struct({
  name: SingleLineText,
  slug: Slug,
  plan: PlanName,
  timezone: Timezone,
  locale: Locale,
  currency: Currency
})
export type NewOrganization = typeof NewOrganization.Type

/** The current organization itself. */
export class Organizations extends Context.Service<
  Organizations,
  TenantScoped<{
    readonly current: () => Effect.Effect<Organization>
    /** Stores it with its version raised by one, if the stored version is still the expected one (`null`: whatever it is). */
    readonly save: (
      organization: Organization,
      expected: number | null
    ) => Effect.Effect<Organization, VersionConflict, Transaction>
  }>
>()("@parley/domain/platform/identity/Organizations") {}

/** All organizations: for operators, who stand above tenants. */
export class OrganizationDirectory extends Context.Service<
  OrganizationDirectory,
  {
    readonly insert: (organization: Organization) => Effect.Effect<void, SlugTaken, Transaction>
    readonly find: (id: OrganizationId) => Effect.Effect<Organization | null>
    readonly findBySlug: (slug: string) => Effect.Effect<Organization | null>
    /** Oldest first; the key of a row is its id. */
    readonly list: (slice: Slice) => Effect.Effect<ReadonlyArray<Organization>>
  }
>()("@parley/domain/platform/identity/OrganizationDirectory") {}
