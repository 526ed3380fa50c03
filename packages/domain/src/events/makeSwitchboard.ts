import { Effect, Latch } from "effect"
import { CurrentActor, CurrentOrganization, type OrganizationId } from "../kernel/index.ts"
import { EventSignals } from "./EventSignals.ts"

/** The signals inside of one process: who listens, and how to tell them. A listener holds one bit, however much it is told. */
export const makeSwitchboard = () => {
  const listening = new Map<OrganizationId, Set<Latch.Latch>>()

  const join = (id: OrganizationId, ear: Latch.Latch) => {
    const ears = listening.get(id) ?? new Set()
    ears.add(ear)
    listening.set(id, ears)
  }

  const leave = (id: OrganizationId, ear: Latch.Latch) => {
    const ears = listening.get(id)
    ears?.delete(ear)
    if (ears?.size === 0) listening.delete(id)
  }

  const wake = (ears: Iterable<Latch.Latch>) => {
    for (const ear of ears) ear.openUnsafe()
  }

  return {
    signals: EventSignals.of({
      listen: Effect.fnUntraced(function* () {
        yield* CurrentActor
        const { id } = yield* CurrentOrganization
        const ear = Latch.makeUnsafe()
        yield* Effect.acquireRelease(
          Effect.sync(() => join(id, ear)),
          () => Effect.sync(() => leave(id, ear))
        )
        return { next: Effect.andThen(ear.await, ear.close) }
      })
    }),
    /** Tells those who listen to the organization. */
    tell: (id: OrganizationId) => wake(listening.get(id) ?? []),
    /** Tells everybody, after a time in which signs may have been lost. */
    tellAll: () => {
      for (const ears of listening.values()) wake(ears)
    }
  }
}

/** The signals inside of one process. */
export type Switchboard = ReturnType<typeof makeSwitchboard>
