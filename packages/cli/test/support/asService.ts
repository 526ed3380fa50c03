import * as NodeServices from "@effect/platform-node/NodeServices"
import type { OrganizationId } from "@parley/domain/kernel"
import { login } from "@parley/domain/platform"
import type { Ports } from "@parley/domain/composition"
import { readSettings } from "@parley/service/configuration"
import { ConfigProvider, Effect, Redacted } from "effect"
import { layerPorts } from "@parley/service/ports"
import type { Environment } from "./commandLine.ts"

/** Does the work of a running service with the same configuration. */
export const asService = <A, E>(environment: Environment, effect: Effect.Effect<A, E, Ports>) =>
  Effect.gen(function* () {
    const settings = yield* readSettings({})
    return yield* Effect.provide(effect, layerPorts(settings))
  }).pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment)),
    Effect.provide(NodeServices.layer)
  )

/** Logs in as a service would. */
export const loginAt = (
  environment: Environment,
  email: string,
  password: string,
  organizationId: OrganizationId | null = null
) => asService(environment, login({ email, password: Redacted.make(password), organizationId, address: "127.0.0.1" }))
