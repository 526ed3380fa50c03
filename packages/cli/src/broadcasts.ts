import { Command } from "effect/cli"
import { cancelCommand } from "./broadcasts/cancel.ts"
import { createCommand } from "./broadcasts/create.ts"
import { duplicateCommand } from "./broadcasts/duplicate.ts"
import { editCommand } from "./broadcasts/edit.ts"
import { retryCommand } from "./broadcasts/retry.ts"
import { scheduleCommand } from "./broadcasts/schedule.ts"
import { simulateCommand } from "./broadcasts/simulate.ts"
import { testCommand } from "./broadcasts/test.ts"
import { unscheduleCommand } from "./broadcasts/unschedule.ts"
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
  Command.withSubcommands([
    listCommand,
    showCommand,
    createCommand,
    editCommand,
    previewCommand,
    simulateCommand,
    testCommand,
    scheduleCommand,
    unscheduleCommand,
    sendCommand,
    pauseCommand,
    resumeCommand,
    cancelCommand,
    watchCommand,
    reportCommand,
    recipientsCommand,
    duplicateCommand,
    retryCommand
  ])
)
