import type { OrganizationId } from "@parley/domain/kernel"
import type { Ports } from "@parley/domain/composition"
import type { ParleyClient } from "@parley/http-adapter/client"
import { type LocalCaller, makeLocalClient } from "@parley/http-adapter/local"
import type { Effect, FileSystem, Path, Scope } from "effect"
import { serverSettings } from "./serverSettings.ts"
import type { Settings } from "./readSettings.ts"

export type { LocalCaller }

/** Creates a client whose calls run in this process on the ports of the context, without a server and without a token. */
export const localClient = (
  settings: Settings,
  caller: LocalCaller,
  organizationId: OrganizationId
): Effect.Effect<ParleyClient.Client, never, FileSystem.FileSystem | Path.Path | Ports | Scope.Scope> =>
  makeLocalClient(serverSettings(settings), caller, organizationId)
