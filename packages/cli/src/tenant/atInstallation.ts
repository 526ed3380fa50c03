import { Effect } from "effect"
import type { Failure } from "../console/Failure.ts"
import { logged } from "../console/logging.ts"
import { sharedSettings } from "../parley.ts"
import { isOperatorLogin } from "../profiles/ProfileFolder.ts"
import type { Calls } from "./Tenant.ts"
import { platformCalls, refusedByRules } from "./onDatabase.ts"
import { operate, targetOf } from "./target.ts"

const instead =
  " On a service, log in with an operator token: parley login --server https://parley.example --profile operator --token -"

/** Runs a command for operators, on the database or on a service with the login of an operator token. */
export const atInstallation = Effect.fnUntraced(function* <A, E extends Failure, R>(
  command: (calls: Pick<Calls, "operatorAudit" | "operatorRateCards">) => Effect.Effect<A, E, R>,
  more = ""
) {
  const settings = yield* sharedSettings
  const target = yield* targetOf(settings)
  if (target.kind === "database" || !isOperatorLogin(target.profile)) {
    return yield* operate(
      refusedByRules(Effect.flatMap(platformCalls(settings), command)).pipe(Effect.scoped),
      `${instead}${more}`
    )
  }
  const { askerOf, connect } = yield* Effect.promise(() => import("../server/connect.ts"))
  const { explained } = yield* Effect.promise(() => import("../server/http.ts"))
  const onServer = Effect.flatMap(connect(settings, target), command)
  return yield* logged(settings, "Warn")(Effect.mapError(onServer, explained(askerOf(target))))
})
