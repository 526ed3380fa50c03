import type { Sleep } from "../../src/index.ts"

interface Sleeper {
  readonly at: number
  readonly wake: () => void
}

/** Runs all work that waits for no time. */
export const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** A time that only moves when a test moves it. */
export const virtualTime = () => {
  const sleepers = new Set<Sleeper>()
  const asked: Array<number> = []
  let now = 0
  const sleep: Sleep = (milliseconds, signal) =>
    new Promise((resolve) => {
      const wake = () => {
        sleepers.delete(sleeper)
        resolve()
      }
      const sleeper = { at: now + milliseconds, wake }
      sleepers.add(sleeper)
      asked.push(milliseconds)
      signal.addEventListener("abort", wake)
      if (signal.aborted) wake()
    })
  const advance = async (milliseconds: number) => {
    now += milliseconds
    for (const { at, wake } of sleepers) if (at <= now) wake()
    await settle()
  }
  /** Moves the time in steps until the promise is settled. */
  const pass = async <A>(promise: Promise<A>): Promise<A> => {
    const state = { isSettled: false }
    const settled = () => {
      state.isSettled = true
    }
    void promise.then(settled, settled)
    await settle()
    while (!state.isSettled) await advance(100)
    return promise
  }
  return { sleep, advance, pass, asked, now: () => now }
}
