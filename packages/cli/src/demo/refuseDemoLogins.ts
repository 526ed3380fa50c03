import { CurrentActor, setUserStatus, Users } from "@parley/domain"
import { Console, Effect } from "effect"
import { demoTenants } from "./tenants.ts"

/** Who the command line is when it acts by itself. */
export const demoActor = { kind: "system", name: "demo" } as const

/** Disables the users of the demo, whose passwords lie in a file, before others can reach the service. */
export const refuseDemoLogins = Effect.gen(function* () {
  const users = yield* Users
  for (const { user } of demoTenants) {
    const known = yield* users.credentialsByEmail(user.email)
    if (known?.user.status !== "active") continue
    yield* setUserStatus(known.user.id, "disabled")
    yield* Console.error(
      `The demo user ${user.email} is disabled: others than you can reach this service. \`npm start\` lets it in again.`
    )
  }
}).pipe(Effect.provideService(CurrentActor, demoActor))
