import { CurrentActor } from "@parley/domain/kernel"
import { jobTasks, layerWorkersOf, type Organization, platformOrganizationId } from "@parley/domain/platform"
import { layerJobKinds, type Ports } from "@parley/domain/composition"
import { type Settings, WrongUsage } from "@parley/service/configuration"
import type { LocalCaller } from "@parley/service/local"
import { Effect, type FileSystem, Layer, Option, type Path, Schema, type Scope } from "effect"
import { HttpClientError } from "effect/http"
import { type Failure, faultLines, Refused } from "../console/Failure.ts"
import type { Calls, Tenant } from "./Tenant.ts"
import { memberCaller } from "./selection.ts"

const callsAs = Effect.fnUntraced(function* (
  settings: Settings,
  caller: LocalCaller,
  organizationId: Organization["id"]
) {
  const { localClient } = yield* Effect.promise(() => import("@parley/service/local"))
  const calls: Calls = yield* localClient(settings, caller, organizationId)
  return calls
})

/** The operator sends no request, so audit entries name no request. */
const operatorCaller = Effect.map(CurrentActor, (actor): LocalCaller => ({ actor, requestId: null }))

/** Calls of the operator outside of every organization. */
export const platformCalls = (settings: Settings) =>
  Effect.flatMap(operatorCaller, (caller) => callsAs(settings, caller, platformOrganizationId))

/** Refuses on hold, because the import tasks run the jobs of all organizations. */
const requireNoHold = Effect.gen(function* () {
  const { CurrentHold } = yield* Effect.promise(() => import("@parley/service/hold"))
  if ((yield* yield* CurrentHold) === null) return
  return yield* new Refused({
    message:
      "The installation is on hold after a restore, so this process starts no background work. See what would leave: parley hold show. To end the hold: parley hold release. To queue the import only: --no-watch"
  })
})

/** Builds an organization on the database, with the permissions of an operator. */
export const tenantOnDatabase = Effect.fnUntraced(function* (settings: Settings, organization: Organization) {
  const context = yield* Effect.context<CurrentActor | FileSystem.FileSystem | Path.Path | Ports | Scope.Scope>()
  const { id, slug } = organization
  const tenant: Tenant = {
    ...(yield* callsAs(settings, yield* operatorCaller, id)),
    name: slug,
    id,
    as: (member) =>
      Option.match(member, {
        onNone: () => new WrongUsage({ message: "Specify the responsible member: --as ann@acme.example" }),
        onSome: (name) =>
          Effect.flatMap(memberCaller(organization, name), (caller) => callsAs(settings, caller, id)).pipe(
            Effect.provideContext(context)
          )
      }),
    requireNoHold: Effect.provideContext(requireNoHold, context),
    working: Layer.launch(
      Layer.provide(layerWorkersOf(jobTasks, { lookMillis: 200, name: "contacts import" }), layerJobKinds)
    ).pipe(Effect.provideContext(context))
  }
  return tenant
})

/** Explains a request that does not fit the contract. Inside a process, nothing is lost on the way and each answer fits the contract. */
const toRefusal = (failure: Failure): Effect.Effect<never, Failure> => {
  if (Schema.isSchemaError(failure)) return new Refused({ message: faultLines(failure.issue, undefined) })
  return HttpClientError.isHttpClientError(failure) ? Effect.die(failure) : Effect.fail(failure)
}

/** Fails with refusals by rules only. Their texts are the same as on a service. */
export const refusedByRules = <A, R>(effect: Effect.Effect<A, Failure, R>) => Effect.catch(effect, toRefusal)
