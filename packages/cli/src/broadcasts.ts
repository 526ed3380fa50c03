import { Command } from "effect/cli"
import { cancelCommand } from "./broadcasts/cancel.ts"
import { listCommand } from "./broadcasts/list.ts"
import { pauseCommand } from "./broadcasts/pause.ts"
import { previewCommand } from "./broadcasts/preview.ts"
import { recipientsCommand } from "./broadcasts/recipients.ts"
import { reportCommand } from "./broadcasts/report.ts"
import { resumeCommand } from "./broadcasts/resume.ts"
import { sendCommand } from "./broadcasts/send.ts"
import { showCommand } from "./broadcasts/show.ts"
import { watchCommand } from "./broadcasts/watch.ts"

/** The commands about broadcasts. */
export const broadcasts = Command.make("broadcasts").pipe(
  Command.withDescription(
    "Broadcasts to many contacts: list, show, preview, send, pause, resume, cancel, watch, report, recipients"
  ),
  Command.withSubcommands([
    listCommand,
    showCommand,
    previewCommand,
    sendCommand,
    pauseCommand,
    resumeCommand,
    cancelCommand,
    watchCommand,
    reportCommand,
    recipientsCommand
  ])
)
