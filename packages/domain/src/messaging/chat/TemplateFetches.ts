import { Context, type DateTime, type Effect } from "effect"
import type { TenantScoped } from "../../kernel/index.ts"
import type { Lane, LaneLease, WorkName } from "../../platform/background/index.ts"
import type { ChatAccountId } from "./Ids.ts"

/** What fetching templates again is called among the works: each account has a lane. */
export const templateFetchesWork: WorkName = "template fetches"

/** The account that a lane of template fetches is of. */
export const accountOfTemplateLane = ({ key }: Lane) => key as ChatAccountId

/** A fetch that has begun, of the account that the lane is of. */
export interface TemplateFetch {
  readonly lane: LaneLease
  /** Goes up with each write: what is wanted meanwhile is wanted of a later one. */
  readonly revision: number
}

/** The templates of the organization's accounts that have to be fetched again, for whoever owns the lanes. */
export class TemplateFetches extends Context.Service<
  TemplateFetches,
  TenantScoped<{
    /** Begins to fetch what is wanted by then. Unless it is settled, it is wanted again then. `null` when nothing is, or the lease is lost. */
    readonly begin: (
      lane: LaneLease,
      times: { readonly now: DateTime.Utc; readonly again: DateTime.Utc }
    ) => Effect.Effect<TemplateFetch | null>
    /** It was done. What was wanted since it began is wanted still. */
    readonly settle: (fetch: TemplateFetch) => Effect.Effect<void>
    /** From when on those of the account are wanted; `null` when they are not. */
    readonly nextDue: (id: ChatAccountId) => Effect.Effect<DateTime.Utc | null>
  }>
>()("@parley/domain/messaging/chat/TemplateFetches") {}
