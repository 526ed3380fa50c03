import { Context, type Effect } from "effect"
import type { TenantScoped, Transaction } from "../kernel/index.ts"
import type { BroadcastId } from "./Ids.ts"
import type { BroadcastReport } from "./report/BroadcastReport.ts"

/** The reports of the organization's broadcasts whose recipients are not kept any more. */
export class BroadcastReports extends Context.Service<
  BroadcastReports,
  TenantScoped<{
    /** `null` as long as it can be counted. */
    readonly find: (id: BroadcastId) => Effect.Effect<BroadcastReport | null>
    /** Keeps a report. One that is kept already stays. */
    readonly keep: (report: BroadcastReport) => Effect.Effect<void, never, Transaction>
  }>
>()("@parley/domain/campaigns/BroadcastReports") {}
