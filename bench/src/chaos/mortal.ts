import { type Duration, Effect, Exit, Scope } from "effect"
import { type Grounds, parley, type ParleyOptions } from "../servers/contenders.ts"

/** Like the supervisor of a service: a server that cannot start, because its connections are cut off, is started again. */
const mostStarts = 20

/** A server that is killed and restarted. It ends with the scope. */
export const makeMortal = Effect.fnUntraced(function* (grounds: Grounds, options: ParleyOptions) {
  const parent = yield* Effect.scope
  const live = Effect.gen(function* () {
    const life = yield* Scope.fork(parent)
    const start = Scope.provide(parley(grounds, options), life)
    const { pid } = yield* Effect.onError(start, () => Scope.close(life, Exit.void))
    return { life, pid }
  }).pipe(Effect.retry({ times: mostStarts }))
  let current = yield* live
  return {
    /** Kills it with SIGKILL, in any state. */
    kill: Effect.suspend(() => {
      process.kill(current.pid, "SIGKILL")
      return Scope.close(current.life, Exit.void)
    }),
    /** Stops it for this time, then continues it. */
    freeze: (lasts: Duration.Input) =>
      Effect.suspend(() => {
        const { pid } = current
        process.kill(pid, "SIGSTOP")
        return Effect.ensuring(
          Effect.sleep(lasts),
          Effect.sync(() => process.kill(pid, "SIGCONT"))
        )
      }),
    restart: Effect.map(live, (next) => {
      current = next
    })
  }
})

export type Mortal = Effect.Success<ReturnType<typeof makeMortal>>
