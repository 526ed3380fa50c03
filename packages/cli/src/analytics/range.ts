import { ChatAccountId, LocalDate, PeriodName } from "@parley/domain"
import { Option } from "effect"
import { Flag } from "effect/cli"
import { typedFlag } from "../console/typed.ts"

/** Which local days are meant. */
export const rangeFlags = {
  period: typedFlag("period", PeriodName).pipe(
    Flag.withDescription("Today so far and the 6 days before it (7d, if nothing is said), or the 29 (30d)"),
    Flag.optional
  ),
  from: typedFlag("from", LocalDate).pipe(
    Flag.withMetavar("day"),
    Flag.withDescription("The first day, such as 2026-11-01, in the organization's time zone"),
    Flag.optional
  ),
  to: typedFlag("to", LocalDate).pipe(
    Flag.withMetavar("day"),
    Flag.withDescription("The last day, which is counted too"),
    Flag.optional
  )
}

/** Over which chat account. */
export const accountFlag = typedFlag("account", ChatAccountId).pipe(
  Flag.withDescription("Only what happened over this chat account"),
  Flag.optional
)

interface Said {
  readonly period: Option.Option<PeriodName>
  readonly from: Option.Option<LocalDate>
  readonly to: Option.Option<LocalDate>
}

/** The days as the contract asks for them. */
export const rangeOf = ({ from, period, to }: Said) =>
  Option.isNone(from) && Option.isNone(period) && Option.isNone(to)
    ? ({ period: "7d" } as const)
    : {
        ...(Option.isSome(period) && { period: period.value }),
        ...(Option.isSome(from) && { from: from.value }),
        ...(Option.isSome(to) && { to: to.value })
      }

/** The chat account as the contract asks for it. */
export const accountOf = (account: Option.Option<ChatAccountId>) =>
  Option.isSome(account) ? { chatAccountId: account.value } : {}

/** Of which days an answer is, and in which zone they were cut. */
export const headline = ({ from, timezone, to }: Readonly<Record<"from" | "timezone" | "to", string>>) =>
  `${from === to ? from : `${from} to ${to}`}, ${timezone}`
