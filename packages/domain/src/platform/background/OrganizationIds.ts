import { Context, type Effect } from "effect"
import type { OrganizationId } from "../../kernel/index.ts"

/** The ids of all organizations, for what is done for each of them in turn. It stands above tenants. */
export class OrganizationIds extends Context.Service<
  OrganizationIds,
  {
    /** The next ones in the order of their ids, at most `limit`; `null` is before the first. */
    readonly after: (id: OrganizationId | null, limit: number) => Effect.Effect<ReadonlyArray<OrganizationId>>
  }
>()("@parley/domain/platform/background/OrganizationIds") {}
