import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { Refused } from "./console/Failure.ts"
import { sharedSettings } from "./parley.ts"
import { profileFolder } from "./profiles/ProfileFolder.ts"
import { targetOf } from "./target.ts"

/** Ends a login, here and at its service. */
export const logout = Command.make(
  "logout",
  {},
  Effect.fn(function* () {
    const settings = yield* sharedSettings
    const target = yield* targetOf(settings)
    if (target.kind === "database") {
      return yield* new Refused({ message: "You are not logged in. See what there is: parley profiles list" })
    }
    const { endSession } = yield* Effect.promise(() => import("./server/endSession.ts"))
    const folder = yield* profileFolder(settings)
    const { name, profile } = target
    const isEnded = yield* endSession(settings, target)
    yield* folder.write(name, { ...profile, tokens: null })
    if ((yield* folder.used) === name) yield* folder.use(null)
    yield* Console.log(`Logged out at ${profile.server}. The profile ${name} stays for the next parley login.`)
    if (!isEnded) yield* Console.error(`${profile.server} was not told: the session there ends by itself.`)
  })
).pipe(Command.withExamples([{ command: "parley logout" }, { command: "parley logout --profile ci" }]))
