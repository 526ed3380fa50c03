/** Who is in the demo. Nobody else can have these addresses: `.example` is set aside for examples. */
export const demoTenants = [
  {
    organization: { name: "Acme", slug: "demo-acme", plan: "scale" },
    users: [
      { name: "Dana Demo", email: "demo@parley.example", role: "owner" },
      { name: "Cleo Castillo", email: "cleo@parley.example", role: "agent" }
    ]
  },
  {
    organization: { name: "Corner Shop", slug: "demo-corner-shop", plan: "free" },
    users: [{ name: "Frida Free", email: "free@parley.example", role: "owner" }]
  }
] as const

export type DemoTenant = (typeof demoTenants)[number]
export type DemoUser = DemoTenant["users"][number]
