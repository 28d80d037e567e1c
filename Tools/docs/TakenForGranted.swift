// What the samples of the documentation take for granted: an app that has songs, orders and a server.
import Footfall
import Foundation

struct Song {
  let title = "Here Comes the Sun"
  let seconds = 185
}

struct Order {
  let id = "order-1"
  let total = 42.5
  let placedAt = Date(timeIntervalSince1970: 1_764_547_200)
}

let song = Song()
let order = Order()
let server = URL(string: "http://127.0.0.1:4001")!
let footfall = FootfallClient(key: "ff_pub_…", endpoint: server)
