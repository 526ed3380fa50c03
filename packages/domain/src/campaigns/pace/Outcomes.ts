const lastOnes = 200
const mostFailed = 100

/** What came of the last recipients of a broadcast that were sent to or refused, the oldest first: whether each of them failed. */
export type Outcomes = ReadonlyArray<boolean>

/** What is known of a broadcast that has just started, or goes on after a pause. */
export const noOutcomes: Outcomes = []

/** With one more. Only the last 200 count. */
export const withOutcome = (outcomes: Outcomes, failed: boolean): Outcomes => [...outcomes.slice(1 - lastOnes), failed]

/** Whether a broadcast fails so often that somebody has to look at it first: 100 of its last 200 recipients. */
export const failsTooOften = (outcomes: Outcomes): boolean => outcomes.filter((failed) => failed).length >= mostFailed
