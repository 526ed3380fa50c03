import { Context, type Effect } from "effect"
import type { OrganizationId, Slice, TenantScoped, Transaction, VersionConflict } from "../../kernel/index.ts"
import type { SlugTaken } from "./Errors.ts"
import type { Organization } from "./Organization.ts"

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
