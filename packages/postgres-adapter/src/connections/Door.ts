import { Effect, type Scope } from "effect"

/** Read-write lock. An exclusive caller waits until all others have left, and new ones wait for it. */
export class Door {
  private inside = 0
  private isTaken = false
  private readonly waiting = new Set<() => void>()

  /** Whether no caller is inside. */
  get isFree(): boolean {
    return !this.isTaken && this.inside === 0
  }

  /** Enters in shared mode. */
  share<A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> {
    return Effect.suspend(() => {
      let isIn = false
      const entered: Effect.Effect<A, E, R> = Effect.suspend(() => {
        if (this.isTaken) return Effect.andThen(this.until(this.isOpen), entered)
        isIn = true
        this.inside += 1
        return effect
      })
      // A caller that is interrupted on entry must not count as inside forever.
      return Effect.ensuring(
        entered,
        Effect.sync(() => {
          if (isIn) this.leave()
        })
      )
    })
  }

  /** Enters exclusively until the scope ends. */
  readonly alone: Effect.Effect<void, never, Scope.Scope> = Effect.suspend(() =>
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
              this.alone
            )
    )
  )

  private readonly isOpen = () => !this.isTaken

  private leave(): void {
    this.inside -= 1
    if (this.inside === 0) this.wake()
  }

  private readonly giveBack = Effect.sync(() => {
    this.isTaken = false
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
    this.isTaken = true
    return true
  }

  private wake(): void {
    const all = Array.from(this.waiting)
    this.waiting.clear()
    for (const wake of all) wake()
  }
}
