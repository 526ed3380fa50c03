import {
  type AreaPorts,
  layerAreas,
  type Ports,
  type ProviderPorts,
  type SecurityPorts
} from "@parley/domain/composition"
import { WorkersStart } from "@parley/domain/platform"
import * as Postgres from "@parley/postgres-adapter"
import * as Security from "@parley/provider-adapters/security"
import { Cause, Effect, type FileSystem, Layer, type Path } from "effect"
import { layerFailure, WrongConfiguration } from "./Failure.ts"
import { type DatabaseOpening, layerMigratedDatabase, type NoDatabase } from "./database.ts"
import { layerHold, unlessHeld } from "./hold.ts"
import { masterKeysFile, masterKeysOf } from "./masterKeys.ts"
import { layerChat, layerMail, layerStores, layerWebhooks, type MailLayer } from "./providers.ts"
import type { Settings } from "./readSettings.ts"

const layerSecurity = (settings: Settings) =>
  Layer.unwrap(
    Effect.map(masterKeysOf(settings), (masterKeys) =>
      Layer.catchTag(
        Security.layer({
          masterKeys,
          passwords: { minLength: settings.passwordMinLength.value },
          tokens: { issuer: settings.tokenIssuer.value }
        }),
        "MasterKeyError",
        (error) =>
          layerFailure<SecurityPorts, WrongConfiguration>(
            Cause.fail(new WrongConfiguration({ faults: [`${settings.masterKeys.origin}: ${error.message}`] }))
          )
      )
    )
  )

const areKeysWrong = (cause: Cause.Cause<unknown>) => Cause.squash(cause) instanceof Security.SealBroken

const wrongMasterKeys = ({ databaseUrl, dataDir, masterKeys }: Settings) => {
  const isOwn = databaseUrl.value === null && masterKeys.value === null
  const source = isOwn ? masterKeysFile(dataDir.value) : masterKeys.origin
  const problem = "expected the keys of this database. These keys cannot decrypt its secrets."
  return new WrongConfiguration({ faults: [`${source}: ${problem}`] })
}

/** All ports of the domain on a migrated database. */
export const layerPortsOnDatabase = (settings: Settings, mail: MailLayer | null = null) =>
  layerAreas.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        layerSecurity(settings),
        layerChat(settings),
        layerStores(settings),
        layerWebhooks(settings),
        mail ?? layerMail(settings)
      )
    ),
    Layer.catchCause((cause) =>
      layerFailure<SecurityPorts | ProviderPorts | AreaPorts, WrongConfiguration>(
        areKeysWrong(cause) ? Cause.fail(wrongMasterKeys(settings)) : cause
      )
    ),
    Layer.provideMerge(Postgres.layer)
  )

/** All ports of the domain. Selects the adapters by configuration. */
export const layerPorts = (
  settings: Settings,
  {
    creates = false,
    mail = null,
    migrates = false
  }: Partial<DatabaseOpening> & { readonly mail?: MailLayer | null } = {}
): Layer.Layer<Ports, NoDatabase, FileSystem.FileSystem | Path.Path> =>
  Layer.provide(
    Layer.mergeAll(layerPortsOnDatabase(settings, mail), layerHold, Layer.succeed(WorkersStart, unlessHeld)),
    layerMigratedDatabase(settings, { creates, migrates })
  )
