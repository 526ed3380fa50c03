import { Effect, type Scope } from "effect"

/** An exclusive caller waits until all others have left, and new callers wait for it. */
export class ReadWriteLock {
  private holders = 0
  private isExclusive = false
  private readonly waiting = new Set<() => void>()

  /** Whether no caller holds the lock. */
  get isFree(): boolean {
    return !this.isExclusive && this.holders === 0
  }

  /** Runs the effect concurrently with other shared callers. */
  shared<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      let isHeld = false
      const entered: Effect.Effect<A, E, R> = Effect.suspend(() => {
        if (this.isExclusive) return Effect.andThen(this.until(this.isOpen), entered)
        isHeld = true
        this.holders += 1
        return effect
      })
      // A caller that is interrupted on entry must not count as a holder forever.
      return Effect.ensuring(
        entered,
        Effect.sync(() => {
          if (isHeld) this.leave()
        })
      )
    })
  }

  /** Holds the lock exclusively until the scope ends. */
  readonly exclusive: Effect.Effect<void, never, Scope.Scope> = Effect.suspend(() =>
    Effect.flatMap(
      Effect.acquireRelease(
        Effect.sync(() => this.take()),
        (hasTaken) => (hasTaken ? this.giveBack : Effect.void)
      ),
      (hasTaken) =>
        hasTaken
          ? Effect.void
          : Effect.andThen(
              this.until(() => this.isFree),
              this.exclusive
            )
    )
  )

  private readonly isOpen = () => !this.isExclusive

  private leave(): void {
    this.holders -= 1
    if (this.holders === 0) this.wake()
  }

  private readonly giveBack = Effect.sync(() => {
    this.isExclusive = false
    this.wake()
  })

  /** Waits for a change, unless it happened after the last check: a fiber can pause in between. */
  private until(isSo: () => boolean): Effect.Effect<void> {
    return Effect.callback<void>((resume) => {
      const wake = () => resume(Effect.void)
      if (isSo()) return wake()
      this.waiting.add(wake)
      return Effect.sync(() => void this.waiting.delete(wake))
    })
  }

  private take(): boolean {
    if (!this.isFree) return false
    this.isExclusive = true
    return true
  }

  private wake(): void {
    const all = Array.from(this.waiting)
    this.waiting.clear()
    for (const wake of all) wake()
  }
}
