import { DateTime, Effect } from "effect"
import { Locks } from "../../../kernel/index.ts"
import type { ChatAccount } from "../ChatAccount.ts"
import { ChatAccounts } from "../ChatAccounts.ts"
import type { HistorySyncReport } from "../Inbound.ts"
import { saveAccount } from "../accountStatus.ts"
import type { SyncRequest } from "./OnboardingState.ts"
import { withOnboarding } from "./updateAccount.ts"

/** Report about the history of a number, in the words of the provider. */
export interface HistoryReport {
  readonly phoneId: string
  readonly report: HistorySyncReport
  readonly detail: string | null
}

const completePercent = 100

const applyReport = (before: SyncRequest, { detail, report }: HistoryReport, at: DateTime.Utc): SyncRequest => {
  if (report.state === "failed") {
    return { ...before, failure: { reason: report.reason, code: report.code, providerReason: detail, at } }
  }
  // Parts arrive in any order.
  const progress = Math.max(before.progress ?? 0, report.percent)
  const isComplete = progress >= completePercent
  return { ...before, failure: null, progress, completedAt: before.completedAt ?? (isComplete ? at : null) }
}

const requestedElsewhere = (at: DateTime.Utc): SyncRequest => ({
  requestId: null,
  at,
  failure: null,
  progress: null,
  completedAt: null
})

const isSame = (one: SyncRequest | null, { completedAt, failure, progress }: SyncRequest): boolean =>
  one !== null &&
  one.progress === progress &&
  one.failure?.reason === failure?.reason &&
  (one.completedAt === null) === (completedAt === null)

/** Stores how much of the history of these numbers has arrived, or why none arrives. */
export const applyHistoryReports = Effect.fnUntraced(function* (
  accounts: ReadonlyArray<ChatAccount>,
  reports: ReadonlyArray<HistoryReport>
) {
  if (reports.length === 0) return
  yield* (yield* Locks).exclusive("chat_accounts")
  const now = yield* DateTime.now
  const numbers = new Set(reports.map(({ phoneId }) => phoneId))
  const named = accounts.filter(({ externalPhoneId }) => numbers.has(externalPhoneId)).map(({ id }) => id)
  for (const before of yield* (yield* ChatAccounts).find(named)) {
    const { historySync } = before.onboarding
    const after = reports
      .filter(({ phoneId }) => phoneId === before.externalPhoneId)
      .reduce((request, each) => applyReport(request, each, now), historySync ?? requestedElsewhere(now))
    if (isSame(historySync, after)) continue
    yield* Effect.orDie(saveAccount(before, withOnboarding(before, { historySync: after })))
  }
})
