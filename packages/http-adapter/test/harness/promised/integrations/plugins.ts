import type { Promised } from "../../Promised.ts"

/** What is promised of the endpoints of this area. */
export const promised: Promised = {
  answers: `
endpoint               | needs          | nobody | token | viewer | agent | admin         | owner
plugins.disable        | plugins.manage | 401    | no    | no     | no    | plan plan 200 | plan plan 200
plugins.enable         | plugins.manage | 401    | no    | no     | no    | plan plan 200 | plan plan 200
plugins.get            | plugins.read   | 401    | no    | no     | no    | 200           | 200
plugins.install        | plugins.manage | 401    | no    | no     | no    | plan plan 201 | plan plan 201
plugins.list           | plugins.read   | 401    | no    | no     | no    | 200           | 200
plugins.listDeliveries | plugins.read   | 401    | no    | no     | no    | 200           | 200
plugins.rotateSecret   | plugins.manage | 401    | no    | no     | no    | plan plan 200 | plan plan 200
plugins.uninstall      | plugins.manage | 401    | no    | no     | no    | plan plan 204 | plan plan 204
plugins.update         | plugins.manage | 401    | no    | no     | no    | plan plan 200 | plan plan 200
plugins.upgrade        | plugins.manage | 401    | no    | no     | no    | plan plan 200 | plan plan 200
`,
  trails: {
    "plugins.disable": "plugin.disabled",
    "plugins.enable": null,
    "plugins.install": "plugin.installed",
    "plugins.rotateSecret": "plugin.secret_rotated",
    "plugins.uninstall": "plugin.uninstalled",
    "plugins.update": "plugin.updated",
    "plugins.upgrade": "plugin.upgraded"
  }
}
