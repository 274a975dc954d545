import ipaddr from 'ipaddr.js'

/** The key of a sender: an IPv4 address, or the /64 that one customer gets of IPv6. Other text is returned unchanged. */
export function addressGroup(address: string): string {
  // A zone (`%eth0`) names a network interface of this machine, not the sender.
  const withoutZone = address.replace(/%.*$/, '')
  if (!ipaddr.isValid(withoutZone)) return address
  const parsed = ipaddr.process(withoutZone)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const v6 = parsed as ipaddr.IPv6
  // All NAT64 addresses share one prefix; the last 32 bits are the sender's IPv4 address.
  if (v6.range() === 'rfc6052') return new ipaddr.IPv4(v6.toByteArray().slice(12)).toString()
  return `${v6.parts
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}
