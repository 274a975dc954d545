import ipaddr from 'ipaddr.js'

/**
 * What counts as one sender: an IPv4 address, or the /64 that one customer is given in IPv6. Text that is no address
 * stands for itself.
 */
export function addressGroup(address: string): string {
  // A zone (`%eth0`) says which of the machine's own networks it was, not who sent it.
  const bare = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(bare)) return address
  const parsed = ipaddr.process(bare)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const v6 = parsed as ipaddr.IPv6
  // Behind NAT64 the whole IPv4 world has one prefix; its last 32 bits say who it was.
  if (v6.range() === 'rfc6052') return new ipaddr.IPv4(v6.toByteArray().slice(12)).toString()
  return `${v6.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
