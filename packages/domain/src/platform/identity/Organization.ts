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

export const OrganizationStatus = Schema.Literals(["active", "suspended"])
export type OrganizationStatus = typeof OrganizationStatus.Type

/** Tenant. */
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

/** Changes of an administrator; an absent field stays unchanged. */
export const OrganizationPatch = Schema.Struct({
  name: Schema.optionalKey(SingleLineText),
  timezone: Schema.optionalKey(Timezone),
  locale: Schema.optionalKey(Locale),
  currency: Schema.optionalKey(Currency)
}).annotate({ identifier: "OrganizationPatch" })
export type OrganizationPatch = typeof OrganizationPatch.Type

/** New organization, set by an operator. */
export const NewOrganization = Schema.Struct({
  name: SingleLineText,
  slug: Slug,
  plan: PlanName,
  timezone: Timezone,
  locale: Locale,
  currency: Currency
})
export type NewOrganization = typeof NewOrganization.Type

/** The current organization. */
export class Organizations extends Context.Service<
  Organizations,
  TenantScoped<{
    readonly current: () => Effect.Effect<Organization>
    /** Stores it with the next version, if the stored version equals the expected one (`null`: any version). */
    readonly save: (
      organization: Organization,
      expected: number | null
    ) => Effect.Effect<Organization, VersionConflict, Transaction>
  }>
>()("@parley/domain/platform/identity/Organizations") {}

/** All organizations, for operators. Not tenant-scoped. */
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
