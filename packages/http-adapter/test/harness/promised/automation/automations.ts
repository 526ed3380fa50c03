import type { Promised } from "../../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint            | needs              | nobody | token | viewer | agent | admin        | owner
automations.list    | automations.read   | 401    | no    | 200    | 200   | 200          | 200
automations.create  | automations.manage | 401    | no    | no     | no    | plan 201 201 | plan 201 201
automations.get     | automations.read   | 401    | no    | 200    | 200   | 200          | 200
automations.update  | automations.manage | 401    | no    | no     | no    | plan 200 200 | plan 200 200
automations.delete  | automations.manage | 401    | no    | no     | no    | plan 204 204 | plan 204 204
automations.enable  | automations.manage | 401    | no    | no     | no    | plan 200 200 | plan 200 200
automations.disable | automations.manage | 401    | no    | no     | no    | plan 200 200 | plan 200 200
automations.test    | automations.manage | 401    | no    | no     | no    | plan 200 200 | plan 200 200
automations.listRuns | automations.read  | 401    | no    | 200    | 200   | 200          | 200
automations.getRun  | automations.read   | 401    | no    | 200    | 200   | 200          | 200
automations.settings | automations.read   | 401   | no    | 200    | 200   | 200          | 200
automations.updateSettings | automations.manage | 401 | no | no  | no    | plan 200 200 | plan 200 200
`,
  trails: {
    "automations.create": "automation.created",
    "automations.update": "automation.updated",
    "automations.delete": "automation.deleted",
    "automations.enable": "automation.enabled",
    "automations.disable": null,
    "automations.test": null,
    "automations.updateSettings": "automations.paused"
  }
}
