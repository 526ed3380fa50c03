/** Whoever has run for so long has started well. */
const steadyMillis = 10_000

const longestMillis = 30_000

/** How many milliseconds pass before a process is started anew: none after a long life, then one second, and twice as many each time. */
export const restartPause = (before: number, livedMillis: number): number =>
  livedMillis >= steadyMillis ? 0 : Math.min(longestMillis, before === 0 ? 1_000 : before * 2)
