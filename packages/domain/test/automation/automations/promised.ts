import type { Promised } from "../../promises.ts"

/** What is promised of the use cases of this area. */
export const promised: Promised = {
  policy: `
use case           | who may            | plan gate
automation.create  | automations.manage | automations
automation.delete  | automations.manage | automations
automation.disable | automations.manage | automations
automation.enable  | automations.manage | automations
automation.get     | automations.read   | -
automation.getRun  | automations.read   | -
automation.list    | automations.read   | -
automation.listRuns | automations.read  | -
automation.test    | automations.manage | automations
automation.update  | automations.manage | automations
automationSettings.get    | automations.read   | -
automationSettings.update | automations.manage | automations
`,
  access: `
use case           | stranger | viewer | agent | admin | owner | token | operator
automation.create  | -        | -      | -     | yes   | yes   | yes   | yes
automation.delete  | -        | -      | -     | yes   | yes   | yes   | yes
automation.disable | -        | -      | -     | yes   | yes   | yes   | yes
automation.enable  | -        | -      | -     | yes   | yes   | yes   | yes
automation.get     | -        | yes    | yes   | yes   | yes   | yes   | yes
automation.getRun  | -        | yes    | yes   | yes   | yes   | yes   | yes
automation.list    | -        | yes    | yes   | yes   | yes   | yes   | yes
automation.listRuns | -       | yes    | yes   | yes   | yes   | yes   | yes
automation.test    | -        | -      | -     | yes   | yes   | yes   | yes
automation.update  | -        | -      | -     | yes   | yes   | yes   | yes
automationSettings.get    | -     | yes    | yes   | yes   | yes   | yes   | yes
automationSettings.update | -     | -      | -     | yes   | yes   | yes   | yes
`,
  accessOnFree: `
use case           | stranger | viewer | agent | admin | owner | token | operator
automation.create  | -        | -      | -     | plan  | plan  | plan  | plan
automation.delete  | -        | -      | -     | plan  | plan  | plan  | yes
automation.disable | -        | -      | -     | plan  | plan  | plan  | plan
automation.enable  | -        | -      | -     | plan  | plan  | plan  | plan
automation.test    | -        | -      | -     | plan  | plan  | plan  | plan
automation.update  | -        | -      | -     | plan  | plan  | plan  | plan
automationSettings.update | -     | -      | -     | plan  | plan  | plan  | plan
`,
  trails: `
use case           | audit event         | event
automation.create  | automation.created  | automation.created
automation.delete  | automation.deleted  | automation.deleted
automation.disable | automation.disabled | automation.disabled
automation.enable  | automation.enabled  | automation.enabled
automation.update  | automation.updated  | automation.updated
automationSettings.update | automations.paused | automations.paused
`,
  traceless: [
    "automation.get",
    "automation.getRun",
    "automation.list",
    "automation.listRuns",
    "automation.test",
    "automationSettings.get"
  ]
}
