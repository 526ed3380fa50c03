import { harmless, type Letter } from "../../../platform/mail/index.ts"
import type { Automation } from "../Automation.ts"

/** The mail about an automation that was disabled because its runs fail. */
export const failingLetter = ({ name }: Automation, publicUrl: string): Letter => ({
  subject: `Your automation ${harmless(name)} is disabled`,
  before: [
    `The last 20 runs of your automation “${harmless(name)}” on Parley have failed, so nothing is started by it any more.`,
    "Its runs say what went wrong. Enable it again once that is mended:"
  ],
  link: { label: "Read how automations fail", url: `${publicUrl}/docs/guides/automations` },
  after: ["You get this mail because you are an owner or an admin of the organization."]
})
