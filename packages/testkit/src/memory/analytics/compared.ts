import { countedLevels, type RollupComparison, type DayTally, wholeOrganization } from "@parley/domain/analytics"

const keyOf = ({ date, figure, scope, step }: DayTally) => `${scope} ${date} ${figure} ${step}`

const levels: ReadonlySet<string> = new Set(countedLevels)

/** Compares the stored day tallies with the counted ones. */
export const compared = (kept: ReadonlyArray<DayTally>, counted: ReadonlyArray<DayTally>): RollupComparison => {
  const [before, after] = [kept, counted].map((days) => new Map(days.map((day) => [keyOf(day), day])))
  const unequal = new Map<string, RollupComparison["differences"][number]>()
  for (const { date, figure, ...day } of [...kept, ...counted]) {
    const key = keyOf({ date, figure, ...day })
    const [was, is] = [before?.get(key)?.amount ?? 0, after?.get(key)?.amount ?? 0]
    before?.delete(key)
    after?.delete(key)
    if (was === is) continue
    const place = `${date} ${figure}`
    const sum = unequal.get(place) ?? { date, figure, kept: 0, counted: 0 }
    unequal.set(place, { date, figure, kept: sum.kept + was, counted: sum.counted + is })
  }
  const whole = counted.filter(({ scope }) => scope === wholeOrganization)
  return {
    days: new Set(whole.map(({ date }) => date)).size,
    facts: whole.reduce(
      (sum, { amount, figure }) => (levels.has(figure) || /^commerce\..+\./u.test(figure) ? sum : sum + amount),
      0
    ),
    differences: [...unequal].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, each]) => each)
  }
}
