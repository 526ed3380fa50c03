import type { Mail } from "@parley/domain"
import { type MailLayer, sendingMail } from "@parley/service"
import type { Settings } from "@parley/service/configuration"
import { layerMailFolder } from "@parley/testkit/simulators/mail"
import { type Effect, Layer } from "effect"
import { mailFolderOf } from "./mailFolder.ts"

/** Keeps mails in the data folder in the place of sending them. */
export const keptMail = (settings: Settings, announce: (mail: Mail) => Effect.Effect<void>): MailLayer =>
  Layer.mergeAll(layerMailFolder(mailFolderOf(settings), announce), sendingMail(settings))
