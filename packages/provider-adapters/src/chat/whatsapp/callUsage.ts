import { listAt, numberAt, parsed } from "../../json.ts"
import type { Answer } from "./refusals.ts"

const percentFields = ["call_count", "total_cputime", "total_time"]

const percentIn = (usage: unknown): number => Math.max(0, ...percentFields.map((field) => numberAt(usage, field) ?? 0))

const usagesIn = (header: string): ReadonlyArray<unknown> => {
  const usage = parsed(header)
  return Object.keys(typeof usage === "object" && usage !== null ? usage : {}).flatMap((id) => listAt(usage, id))
}

/** Highest use of a call limit in percent, as the headers of an answer report it; `null` without headers. */
export const usedPercentIn = ({ appUsage, businessUsage }: Pick<Answer, "appUsage" | "businessUsage">) => {
  if (appUsage === undefined && businessUsage === undefined) return null
  const ofBusiness = businessUsage === undefined ? [] : usagesIn(businessUsage).map(percentIn)
  return Math.max(appUsage === undefined ? 0 : percentIn(parsed(appUsage)), ...ofBusiness)
}

const slowFromPercent = 80
const longestDelay = 5_000

/** Milliseconds before the next management call. Calls slow down from 80 percent on, before the provider refuses them. */
export const delayAt = (percent: number): number =>
  percent <= slowFromPercent
    ? 0
    : Math.round((longestDelay * Math.min(percent - slowFromPercent, 100 - slowFromPercent)) / (100 - slowFromPercent))

/** A report is outdated after this time, because limits cover a moving hour. */
const lifetime = 5 * 60_000

const maxTokens = 10_000

/** Latest reported use of each access token, in this process. */
export const makeCallUsage = () => {
  const reports = new Map<string, { readonly percent: number; readonly at: number }>()
  return {
    record: (token: string, answer: Answer, now: number): void => {
      const percent = usedPercentIn(answer)
      if (percent === null) return
      if (percent <= slowFromPercent) reports.delete(token)
      else if (reports.size < maxTokens || reports.has(token)) reports.set(token, { percent, at: now })
    },
    delay: (token: string, now: number): number => {
      const report = reports.get(token)
      if (report === undefined) return 0
      if (now - report.at <= lifetime) return delayAt(report.percent)
      reports.delete(token)
      return 0
    }
  }
}
