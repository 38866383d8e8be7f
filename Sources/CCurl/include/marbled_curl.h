// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

// libcurl as Swift can call it: without variadic functions, and loaded when it is first asked for.
//
// It and what it brings (TLS, Kerberos, LDAP, …) are thirty libraries and six megabytes, which a daemon
// that asks nobody anything does without.

/// Loads libcurl and initialises it; does nothing when that was done. Any thread.
/// Returns NULL, or why it cannot be had; that text lives for ever.
const char *_Nullable marbled_curl_load(void);

// Everything below needs a successful marbled_curl_load() first.

CURL *_Nullable marbled_easy_init(void);
void marbled_easy_cleanup(CURL *_Nonnull easy);
CURLcode marbled_easy_set_long(CURL *_Nonnull easy, CURLoption option, long value);
CURLcode marbled_easy_set_size(CURL *_Nonnull easy, CURLoption option, curl_off_t value);
CURLcode marbled_easy_set_string(
    CURL *_Nonnull easy, CURLoption option, const char *_Nullable value);
CURLcode marbled_easy_set_bytes(
    CURL *_Nonnull easy, CURLoption option, const void *_Nullable value);
CURLcode marbled_easy_set_list(
    CURL *_Nonnull easy, CURLoption option, struct curl_slist *_Nullable list);
long marbled_easy_get_long(CURL *_Nonnull easy, CURLINFO info);
const char *_Nonnull marbled_easy_strerror(CURLcode code);

/// Where the lines of a head go, and the bytes of a body; returns less than count * size to stop.
typedef size_t (*marbled_receive)(
    char *_Nullable bytes, size_t size, size_t count, void *_Nullable data);
/// Called when a connection stands and the request is about to be sent; returns CURL_PREREQFUNC_OK.
typedef int (*marbled_connected)(
    void *_Nullable data, char *_Nullable primary, char *_Nullable local, int primary_port,
    int local_port);

/// Sets who receives what comes; the sockets it opens are closed on exec.
CURLcode marbled_easy_set_receivers(
    CURL *_Nonnull easy, marbled_receive _Nonnull head, marbled_receive _Nonnull body,
    marbled_connected _Nonnull connected, void *_Nullable data);

struct curl_slist *_Nullable marbled_slist_append(
    struct curl_slist *_Nullable list, const char *_Nonnull text);
void marbled_slist_free(struct curl_slist *_Nullable list);

/// Called when a socket is to be watched for something else.
typedef int (*marbled_socket_changed)(
    CURL *_Nullable easy, curl_socket_t socket, int what, void *_Nullable data,
    void *_Nullable socket_data);
/// Called when the time of the next call has changed; -1 for none.
typedef int (*marbled_timer_changed)(
    CURLM *_Nullable multi, long milliseconds, void *_Nullable data);

CURLM *_Nullable marbled_multi_init(
    marbled_socket_changed _Nonnull socket, marbled_timer_changed _Nonnull timer,
    void *_Nullable data, long kept_connections);
void marbled_multi_cleanup(CURLM *_Nonnull multi);
CURLMcode marbled_multi_add(CURLM *_Nonnull multi, CURL *_Nonnull easy);
CURLMcode marbled_multi_remove(CURLM *_Nonnull multi, CURL *_Nonnull easy);
CURLMcode marbled_multi_act(CURLM *_Nonnull multi, curl_socket_t socket, int events);
/// The next transfer that ended, and how; NULL when no further one did.
CURL *_Nullable marbled_multi_next_ended(CURLM *_Nonnull multi, CURLcode *_Nonnull result);

CURLU *_Nullable marbled_url_init(void);
void marbled_url_cleanup(CURLU *_Nonnull url);
CURLUcode marbled_url_set(
    CURLU *_Nonnull url, CURLUPart part, const char *_Nullable text, unsigned flags);
/// A part as text, to be given back with marbled_text_free; NULL where there is none.
char *_Nullable marbled_url_get(CURLU *_Nonnull url, CURLUPart part, unsigned flags);
void marbled_text_free(char *_Nullable text);
